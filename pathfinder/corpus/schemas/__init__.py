"""Records as the hosts of papers write them, and the papers that they describe; files and live sources share them."""
