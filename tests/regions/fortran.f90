! SPDX-License-Identifier: GPL-2.0
! Regions of a program in Fortran.
program regions
    use kermon
    use, intrinsic :: iso_c_binding, only: c_int64_t, c_double
    implicit none
    type(c_ptr) :: outer, inner, hits

    call kermon_region_thread("main")
    outer = kermon_region("Outer  ")
    inner = kermon_region("Inner")
    hits = kermon_region("hits")
    call kermon_region_begin(outer)
    call kermon_region_begin(inner)
    call kermon_region_value(hits, 42_c_int64_t)
    call kermon_region_value(hits, 0.5_c_double)
    call kermon_region_end(inner)
    call kermon_pause()
    call kermon_region_begin(inner)
    call kermon_region_end(inner)
    call kermon_resume()
    call kermon_region_end(outer)
end program
