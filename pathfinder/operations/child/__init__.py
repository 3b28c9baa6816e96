"""A build in a separate process: the pages stay responsive, and a file that crashes its reader harms nothing else."""
