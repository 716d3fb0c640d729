import { getEntry } from 'astro:content';

/**
 * Who the firm is. Read when the layouts are loaded: a component that waits while it is rendered has everything behind
 * it on the page kept in buffers.
 */
export const facts = (await getEntry('site', 'facts'))!.data;
