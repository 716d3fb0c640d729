import { z } from 'zod';

// Before the first schema: Zod's JIT probe violates the content security policy.
if (typeof document !== 'undefined') z.config({ jitless: true });
