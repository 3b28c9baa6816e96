"""The Screen page: papers decided one by one."""
