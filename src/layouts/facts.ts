import { getEntry } from 'astro:content';

/** Read with the layouts: a component that awaits buffers all that follows it. */
export const facts = (await getEntry('site', 'facts'))!.data;
