import type { Runner } from '../runner.ts';
import { runPage } from './web/run-page.ts';
import { runReact } from './web/run-react.ts';
import { buildArtifacts, refill, start } from './web/sandboxes.ts';

/** A page lives in jsdom inside an isolate, and what leaves is text (decisions 47–49). */
export const runner: Runner = {
  languages: ['html', 'css', 'react'],
  pool: 'web',
  buildArtifacts,
  start,
  refill,
  run: (program, limits) =>
    program.language === 'react' ? runReact(program, limits) : runPage(program, limits),
};
