"""Routes on which a page could reach another origin, in a network whose every packet is seen."""
