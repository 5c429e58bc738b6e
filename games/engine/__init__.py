"""What positions are worth: pure search over the rules' positions. No players, no clocks of games, no Django."""
