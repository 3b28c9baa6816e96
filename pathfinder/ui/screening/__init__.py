"""The Screen page, where a reader decides on papers one by one."""
