"""What the HTTP functions share and no framework knows: requests, identity, problem documents."""
