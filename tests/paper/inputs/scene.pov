// SPDX-License-Identifier: GPL-2.0
// Spheres, a blob and an isosurface above a reflecting floor.
camera { location <0,2,-5> look_at <0,1,0> }
light_source { <4,6,-6> rgb 1 }
plane { y, 0 pigment { checker rgb 1 rgb <.2,.3,.6> } finish { reflection .2 } }
sphere { <-1,1,0>, 1 pigment { rgb <.8,.1,.1> } finish { phong .8 reflection .3 } }
blob { threshold .6 sphere { <1,1,0>,1,1 } sphere { <1.6,1.4,.2>,.9,1 } pigment { rgb <.1,.7,.2> } }
isosurface { function { x*x+y*y*y*y+z*z-.3 } contained_by { box { -1,1 } } translate <0,2.4,1> pigment { rgb <.9,.8,.2> } }
