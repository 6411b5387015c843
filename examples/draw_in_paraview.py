#!/usr/bin/env pvbatch
"""Draws the frames of a run as spheres in ParaView: pvbatch draw_in_paraview.py RUN OUT.png [COLOR]

In ParaView itself: open RUN/frames.pvd, apply, choose the representation Point Gaussian with a Gaussian radius
scaled by the array "radius", or the filter Glyph as here.
"""

import os
import sys

import paraview.simple as pv

run, out = sys.argv[1:3]
color = sys.argv[3] if len(sys.argv) > 3 else "radius"  # an array of the frames

bodies = pv.PVDReader(FileName=os.path.join(run, "frames.pvd"))
bodies.UpdatePipeline()
scene = pv.GetAnimationScene()
scene.UpdateAnimationUsingDataTimeSteps()
scene.GoToLast()

# A sphere of diameter 1 at each point, scaled by twice the radius.
balls = pv.Glyph(Input=bodies, GlyphType="Sphere")
balls.ScaleArray = ["POINTS", "radius"]
balls.ScaleFactor = 2
balls.OrientationArray = ["POINTS", "No orientation array"]
balls.GlyphMode = "All Points"

view = pv.CreateView("RenderView")
view.ViewSize = [1200, 900]
view.OrientationAxesVisibility = 1
shown = pv.Show(balls, view)
pv.ColorBy(shown, ("POINTS", color))
shown.RescaleTransferFunctionToDataRange(True)
shown.SetScalarBarVisibility(view, True)

walls = os.path.join(run, "walls.pvd")
if os.path.exists(walls):
    pv.Show(pv.PVDReader(FileName=walls), view)
elif os.path.exists(os.path.join(run, "walls.vtp")):
    pv.Show(pv.XMLPolyDataReader(FileName=[os.path.join(run, "walls.vtp")]), view)

view.CameraPosition = [-2, -4, 1.5]
view.CameraFocalPoint = [0, 0, 0]
view.CameraViewUp = [0, 0, 1]
pv.ResetCamera(view)
pv.Render(view)
pv.SaveScreenshot(out, view)
