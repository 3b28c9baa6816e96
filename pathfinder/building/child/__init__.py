"""A build in a process of its own: the pages stay quick, and a file that crashes its reader harms nothing else."""
