import { stripVTControlCharacters } from 'node:util';
import { log } from './log.ts';
import { withoutQueryValues } from './loggable-error.ts';

type Message = {
  label: string | null;
  level: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  message: string;
};

/** The `logger` of `astro.config.mjs`. */
export default function astroLog(): { write(message: Message): void } {
  return {
    write: ({ label, level, message }) => {
      if (level !== 'silent')
        log[level]({ part: label ?? 'astro' }, withoutQueryValues(stripVTControlCharacters(message)).trim());
    },
  };
}
