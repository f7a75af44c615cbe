// SPDX-License-Identifier: GPL-2.0
/*
 * Threads that read their own counts: by a descriptor, or from a page that they map.
 *
 * The module keeps the page up to date while the thread runs; see struct kermon_page for
 * what the thread makes of it. What a thread has belongs to it alone: it is opened, left
 * and read by the thread itself. Others only say that the monitoring has ended
 * (kermon_self_end()), or that the last descriptor is closed (kermon_self_close()).
 *
 * The permission to execute RDPMC goes with the descriptors, not with the monitoring: if
 * that ended it, a thread that is just about to read would be killed.
 */
#include <linux/anon_inodes.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/gfp.h>
#include <linux/init.h>
#include <linux/kermon_self.h>
#include <linux/mm.h>
#include <linux/pid.h>
#include <linux/rcupdate.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/task_work.h>
#include <linux/uaccess.h>
#include <linux/workqueue.h>
#include <asm/kermon.h>
#include <asm/kermon_rdpmc.h>

#include "kermon_app.h"
#include "kermon_compat.h"

/* What a child finds in the place of the page of its parent. */
static struct page *kermon_blank_page __ro_after_init;

static void kermon_self_free(struct work_struct *work)
{
	struct kermon_self *self = container_of(to_rcu_work(work),
						struct kermon_self, free);

	put_page(self->page);
	put_pid(self->owner);
	kfree(self);
}

static void kermon_self_release(struct kref *ref)
{
	struct kermon_self *self = container_of(ref, struct kermon_self, ref);

	kermon_forget_page(&self->shown->sequence);
	INIT_RCU_WORK(&self->free, kermon_self_free);
	queue_rcu_work(system_unbound_wq, &self->free);
}

static void kermon_self_put(struct kermon_self *self)
{
	kref_put(&self->ref, kermon_self_release);
}

/* That of current, which only current writes. */
static struct kermon_self *kermon_self_of(const struct task_struct *curr)
{
	return rcu_dereference_protected(curr->kermon.self, curr == current);
}

static bool kermon_self_is_mine(const struct kermon_self *self)
{
	return rcu_access_pointer(current->kermon.self) == self;
}

static void kermon_self_stop(struct task_struct *curr, struct kermon_self *self)
{
	struct kermon_app *app;

	rcu_read_lock();
	app = rcu_dereference(curr->kermon.app);
	if (app)
		app->ops->self_close(app, self);
	rcu_read_unlock();
}

void __kermon_self_leave(struct task_struct *curr)
{
	struct kermon_self *self = kermon_self_of(curr);

	kermon_self_stop(curr, self);
	RCU_INIT_POINTER(curr->kermon.self, NULL);
	WRITE_ONCE(self->shown->sequence, 0);
	if (self->rdpmc)
		kermon_forbid_rdpmc();
	kermon_self_put(self);
}

/**
 * kermon_self_end() - a task is about to leave its application: let it read no count of it
 * @app: the application, whose lock is held
 * @p: the task
 *
 * Context: Irqs off.
 */
void kermon_self_end(const struct kermon_app *app, struct task_struct *p)
{
	struct kermon_self *self = rcu_dereference_sched(p->kermon.self);

	lockdep_assert_held(&app->lock);
	if (!self)
		return;
	WRITE_ONCE(self->ended, app->id);
	/* Pairs with page_show() in the module: either it sees that, or is overwritten. */
	smp_mb();
	WRITE_ONCE(self->shown->sequence, 0);
}

static struct kermon_self *kermon_self_alloc(void)
{
	struct kermon_self *self = kzalloc(sizeof(*self), GFP_KERNEL_ACCOUNT);

	BUILD_BUG_ON(PAGE_SIZE != KERMON_PAGE_SIZE);
	BUILD_BUG_ON(sizeof(struct kermon_page) > KERMON_PAGE_SIZE);
	BUILD_BUG_ON(sizeof(struct kermon_counts) != KERMON_COUNTS_SIZE_VER0);
	if (!self)
		return NULL;
	self->page = alloc_page(GFP_KERNEL_ACCOUNT | __GFP_ZERO);
	if (!self->page) {
		kfree(self);
		return NULL;
	}
	self->shown = page_address(self->page);
	self->shown->size = sizeof(*self->shown);
	self->owner = get_task_pid(current, PIDTYPE_PID);
	kref_init(&self->ref);
	return self;
}

/* That of current, and if there is none a new one, with a reference for a descriptor. */
static struct kermon_self *kermon_self_get(void)
{
	struct kermon_self *self = kermon_self_of(current);

	if (!self) {
		self = kermon_self_alloc();
		if (!self)
			return NULL;
		rcu_assign_pointer(current->kermon.self, self);
	}
	kref_get(&self->ref);
	atomic_inc(&self->files);
	return self;
}

/* In the thread itself, unless it has opened another descriptor meanwhile. */
static void kermon_self_closed(struct callback_head *work)
{
	struct kermon_self *self = container_of(work, struct kermon_self, work);

	/* Not reordered with the next read: whoever closes the next one may see it set. */
	atomic_xchg(&self->closing, 0);
	if (kermon_self_is_mine(self) && !atomic_read(&self->files))
		__kermon_self_leave(current);
	kermon_self_put(self);
}

/* Where that fails, the thread has left, or is about to. */
static void kermon_self_close_there(struct kermon_self *self)
{
	struct task_struct *owner = get_pid_task(self->owner, PIDTYPE_PID);

	if (!owner)
		return;
	if (!atomic_xchg(&self->closing, 1)) {
		kref_get(&self->ref);
		init_task_work(&self->work, kermon_self_closed);
		if (task_work_add(owner, &self->work, TWA_RESUME))
			kermon_self_put(self);
	}
	put_task_struct(owner);
}

/* A descriptor is closed, by anybody; with the last one, the thread has no page any more. */
static void kermon_self_close(struct kermon_self *self)
{
	if (atomic_dec_and_test(&self->files)) {
		if (kermon_self_is_mine(self))
			__kermon_self_leave(current);
		else
			kermon_self_close_there(self);
	}
	kermon_self_put(self);
}

static int kermon_self_release_file(struct inode *inode, struct file *file)
{
	kermon_self_close(file->private_data);
	return 0;
}

static int kermon_self_count(struct kermon_self *self, struct kermon_counts *counts)
{
	struct kermon_app *app;
	int ret = -ENOENT;

	if (!kermon_self_is_mine(self))
		return -EPERM;
	rcu_read_lock();
	app = rcu_dereference(current->kermon.app);
	if (app)
		ret = app->ops->self_read(app, self, counts);
	rcu_read_unlock();

	return ret;
}

static ssize_t kermon_self_read(struct file *file, char __user *buf, size_t len,
				loff_t *pos)
{
	struct kermon_counts counts;
	int ret;

	if (len < KERMON_COUNTS_SIZE_VER0)
		return -EINVAL;
	ret = kermon_self_count(file->private_data, &counts);
	if (ret)
		return ret;
	return copy_to_user(buf, &counts, sizeof(counts)) ? -EFAULT : sizeof(counts);
}

/* The page is there from the beginning; only a child, or madvise(), comes here. */
static vm_fault_t kermon_self_fault(struct vm_fault *vmf)
{
	if (!try_get_page(kermon_blank_page))
		return VM_FAULT_SIGBUS;
	vmf->page = kermon_blank_page;
	return 0;
}

/* In fork, before pages are copied: a child never gets the page, whatever madvise() said. */
static void kermon_self_vm_open(struct vm_area_struct *vma)
{
	kermon_vm_flags_mod(vma, VM_WIPEONFORK, 0);
}

static const struct vm_operations_struct kermon_self_vm_ops = {
	.open	= kermon_self_vm_open,
	.fault	= kermon_self_fault,
};

static int kermon_self_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct kermon_self *self = file->private_data;

	if (!kermon_self_is_mine(self))
		return -EPERM;
	if (vma->vm_end - vma->vm_start != PAGE_SIZE || vma->vm_pgoff ||
	    !(vma->vm_flags & VM_MAYSHARE))
		return -EINVAL;
	if (vma->vm_flags & (VM_WRITE | VM_EXEC))
		return -EACCES;
	kermon_vm_flags_mod(vma, VM_DONTEXPAND | VM_DONTDUMP | VM_WIPEONFORK,
			    VM_MAYWRITE | VM_MAYEXEC);
	vma->vm_ops = &kermon_self_vm_ops;
	return vm_insert_page(vma, vma->vm_start, self->page);
}

static const struct file_operations kermon_self_fops = {
	.owner		= THIS_MODULE,
	.release	= kermon_self_release_file,
	.read		= kermon_self_read,
	.mmap		= kermon_self_mmap,
};

/* What is permitted stays so: a thread that is about to execute RDPMC must not be killed. */
static void kermon_self_permit(struct kermon_self *self)
{
	if (kermon_may_count_kernel())
		self->kernel = true;
	if (!self->rdpmc && kermon_may_read_counters()) {
		kermon_permit_rdpmc();
		self->rdpmc = true;
	}
}

/* Let current read its counts by @self, unless it is just leaving its application. */
static int kermon_self_begin(struct kermon_self *self)
{
	struct kermon_app *app;
	unsigned long flags;
	int ret = -ENOENT;

	rcu_read_lock();
	app = rcu_dereference(current->kermon.app);
	if (app) {
		raw_spin_lock_irqsave(&app->lock, flags);
		if (rcu_access_pointer(current->kermon.app) == app)
			ret = app->ops->self_open(app, self);
		raw_spin_unlock_irqrestore(&app->lock, flags);
	}
	rcu_read_unlock();

	return ret;
}

/**
 * kermon_self_open() - open a descriptor by which current reads its counts
 *
 * Context: Process context, may sleep. The caller has checked that current may count.
 * Return: a descriptor or a negative error.
 */
int kermon_self_open(void)
{
	int fd = get_unused_fd_flags(O_CLOEXEC);
	struct kermon_self *self;
	struct file *file;
	int ret = -ENOMEM;

	if (fd < 0)
		return fd;
	self = kermon_self_get();
	if (!self)
		goto put_fd;
	kermon_self_permit(self);
	ret = kermon_self_begin(self);
	if (ret)
		goto close;
	file = anon_inode_getfile("[kermon-self]", &kermon_self_fops, self, O_RDONLY);
	if (IS_ERR(file)) {
		ret = PTR_ERR(file);
		goto close;
	}
	fd_install(fd, file);
	return fd;
close:
	kermon_self_close(self);
put_fd:
	put_unused_fd(fd);
	return ret;
}

static int __init kermon_self_init(void)
{
	kermon_blank_page = alloc_page(GFP_KERNEL | __GFP_ZERO);
	return kermon_blank_page ? 0 : -ENOMEM;
}
core_initcall(kermon_self_init);
