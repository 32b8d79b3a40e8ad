"""Line Tracer: the lines as a net, the places where they enter nodes, and which ways through it are lines."""
