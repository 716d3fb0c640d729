import { z } from 'zod';

// In a browser the library would try whether it may compile its checks, which the content security policy stops and
// reports. This has to run before the first schema is made.
if (typeof document !== 'undefined') z.config({ jitless: true });
