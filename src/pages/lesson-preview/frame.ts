import type { APIRoute } from 'astro';
import { previewFrame } from '#src/features/practice/preview-frame.server.ts';

export const GET: APIRoute = () => previewFrame();
