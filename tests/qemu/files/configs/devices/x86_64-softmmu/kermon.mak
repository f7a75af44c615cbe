# SPDX-License-Identifier: GPL-2.0
# The devices of the virtual machine; the others take a third of the time to build QEMU.
CONFIG_I440FX=y
CONFIG_Q35=y
CONFIG_SERIAL_ISA=y
CONFIG_VIRTIO_PCI=y
CONFIG_VIRTIO_SERIAL=y
CONFIG_VIRTIO_9P=y
