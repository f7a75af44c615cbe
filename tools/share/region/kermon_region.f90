! SPDX-License-Identifier: GPL-2.0
!
! Mark regions of a program for "kermon run" and "kermon record", as <kermon/region.h> does:
!
!       use kermon
!       type(c_ptr) :: fit
!
!       fit = kermon_region("Fit")              ! once
!       call kermon_region_begin(fit)
!       ...
!       call kermon_region_end(fit)
!
! Compile this file with the program; it needs no library, but dlopen(), which the C library
! has since glibc 2.34. Without these commands, regions are c_null_ptr, and nothing happens.
module kermon
    use, intrinsic :: iso_c_binding
    implicit none
    private
    public :: c_ptr
    public :: kermon_region, kermon_region_begin, kermon_region_end, kermon_region_value
    public :: kermon_pause, kermon_resume, kermon_region_thread

    ! struct kermon_collector
    type, bind(c) :: collector_type
        integer(c_size_t) :: bytes
        type(c_funptr) :: region, begin, end, value, value_double
        type(c_funptr) :: pause, resume, thread
    end type

    ! An integer is a number without sign: negative ones are very large.
    interface kermon_region_value
        module procedure value_integer, value_double
    end interface

    abstract interface
        function entry_function() bind(c)
            import :: c_ptr
            type(c_ptr) :: entry_function
        end function
        function region_function(name) bind(c)
            import :: c_ptr, c_char
            character(kind=c_char), intent(in) :: name(*)
            type(c_ptr) :: region_function
        end function
        subroutine mark_function(region) bind(c)
            import :: c_ptr
            type(c_ptr), value :: region
        end subroutine
        subroutine integer_function(name, number) bind(c)
            import :: c_ptr, c_int64_t
            type(c_ptr), value :: name
            integer(c_int64_t), value :: number
        end subroutine
        subroutine double_function(name, number) bind(c)
            import :: c_ptr, c_double
            type(c_ptr), value :: name
            real(c_double), value :: number
        end subroutine
        subroutine void_function() bind(c)
        end subroutine
        subroutine name_function(name) bind(c)
            import :: c_char
            character(kind=c_char), intent(in) :: name(*)
        end subroutine
    end interface

    interface
        function secure_getenv(name) bind(c)
            import :: c_ptr, c_char
            character(kind=c_char), intent(in) :: name(*)
            type(c_ptr) :: secure_getenv
        end function
        function dlopen(file, mode) bind(c)
            import :: c_ptr, c_int
            type(c_ptr), value :: file
            integer(c_int), value :: mode
            type(c_ptr) :: dlopen
        end function
        function dlsym(library, name) bind(c)
            import :: c_ptr, c_funptr, c_char
            type(c_ptr), value :: library
            character(kind=c_char), intent(in) :: name(*)
            type(c_funptr) :: dlsym
        end function
    end interface

    integer(c_int), parameter :: rtld_now = 2
    logical, save :: known = .false.
    type(collector_type), pointer, save :: collector => null()
    procedure(mark_function), pointer, save :: begin => null(), end => null()

contains

    ! Several threads may do this at once: all find the same.
    subroutine find()
        call look()
        known = .true.
    end subroutine

    subroutine look()
        procedure(entry_function), pointer :: entry
        type(collector_type), pointer :: found
        type(c_ptr) :: file, library, table
        type(c_funptr) :: symbol

        file = secure_getenv("KERMON_COLLECTOR" // c_null_char)
        if (.not. c_associated(file)) return
        library = dlopen(file, rtld_now)
        if (.not. c_associated(library)) return
        symbol = dlsym(library, "kermon_collector" // c_null_char)
        if (.not. c_associated(symbol)) return
        call c_f_procpointer(symbol, entry)
        table = entry()
        if (.not. c_associated(table)) return
        call c_f_pointer(table, found)
        if (found%bytes < c_sizeof(found)) return
        call c_f_procpointer(found%begin, begin)
        call c_f_procpointer(found%end, end)
        collector => found
    end subroutine

    ! Blanks at the end of the name do not count.
    function kermon_region(name) result(region)
        character(*), intent(in) :: name
        type(c_ptr) :: region
        procedure(region_function), pointer :: get

        region = c_null_ptr
        if (.not. known) call find()
        if (.not. associated(collector)) return
        call c_f_procpointer(collector%region, get)
        region = get(trim(name) // c_null_char)
    end function

    subroutine kermon_region_begin(region)
        type(c_ptr), intent(in) :: region

        if (c_associated(region)) call begin(region)
    end subroutine

    subroutine kermon_region_end(region)
        type(c_ptr), intent(in) :: region

        if (c_associated(region)) call end(region)
    end subroutine

    subroutine value_integer(name, number)
        type(c_ptr), intent(in) :: name
        integer(c_int64_t), intent(in) :: number
        procedure(integer_function), pointer :: attach

        if (.not. c_associated(name)) return
        call c_f_procpointer(collector%value, attach)
        call attach(name, number)
    end subroutine

    subroutine value_double(name, number)
        type(c_ptr), intent(in) :: name
        real(c_double), intent(in) :: number
        procedure(double_function), pointer :: attach

        if (.not. c_associated(name)) return
        call c_f_procpointer(collector%value_double, attach)
        call attach(name, number)
    end subroutine

    subroutine call_void(function)
        type(c_funptr), intent(in) :: function
        procedure(void_function), pointer :: run

        call c_f_procpointer(function, run)
        call run()
    end subroutine

    subroutine kermon_pause()
        if (.not. known) call find()
        if (associated(collector)) call call_void(collector%pause)
    end subroutine

    subroutine kermon_resume()
        if (.not. known) call find()
        if (associated(collector)) call call_void(collector%resume)
    end subroutine

    subroutine kermon_region_thread(name)
        character(*), intent(in) :: name
        procedure(name_function), pointer :: tell

        if (.not. known) call find()
        if (.not. associated(collector)) return
        call c_f_procpointer(collector%thread, tell)
        call tell(trim(name) // c_null_char)
    end subroutine
end module
