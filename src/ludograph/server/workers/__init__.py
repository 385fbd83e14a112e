"""Worker processes: they play uploaded games, think for bots and read texts, so that none of it can hurt the
server.
"""
