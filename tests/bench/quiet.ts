// Imported first: the sign-ins that a bench has refused on purpose would each have a line in its output.
process.env.LOG_LEVEL ??= 'error';
