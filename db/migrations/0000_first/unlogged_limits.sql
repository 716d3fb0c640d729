-- Counters of limits are written by nearly every request and are worth nothing after a crash: without a log, counting one
-- waits for no disk. A server that stops in good order keeps them; after a crash they begin at zero.
ALTER TABLE rate_limits SET UNLOGGED;
