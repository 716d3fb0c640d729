import type { APIRoute } from 'astro';
import { previewLibrary } from '#src/features/practice/preview-frame.server.ts';

export const GET: APIRoute = () => previewLibrary();
