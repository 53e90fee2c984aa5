-- It takes milliseconds for a long text. With the usual cost of a function the planner preferred calling it for each
-- revision of an account to the indexes that hold its results.
ALTER FUNCTION "picturesIn"(text) COST 1000000;
