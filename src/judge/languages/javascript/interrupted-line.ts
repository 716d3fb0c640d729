import type ivm from 'isolated-vm';
import { endIsolate } from '#src/judge/fair-clock.ts';

const ANSWER_MS = 300;
const ASK_AGAIN_MS = 40;

interface Frame {
  location: { scriptId: string; lineNumber: number };
}

interface Notification {
  method: string;
  params: { scriptId?: string; url?: string; callFrames?: Frame[] };
}

/** The line that an endless program is at after `afterMs` (decision 50). */
export async function interruptedLine(
  isolate: ivm.Isolate,
  run: () => Promise<unknown>,
  file: string,
  afterMs: number,
): Promise<number | null> {
  const session = isolate.createInspectorSession();
  const urls = new Map<string, string>();
  let line: number | null = null;
  let lastId = 0;
  const timers: NodeJS.Timeout[] = [];
  const send = (method: string, params: object = {}) => {
    // A message to an isolate that is gone ends the process.
    if (isolate.isDisposed) return;
    lastId += 1;
    session.dispatchProtocolMessage(JSON.stringify({ id: lastId, method, params }));
  };
  const ask = () => {
    send('Debugger.setSkipAllPauses', { skip: false });
    send('Debugger.pause');
  };
  const found = new Promise<void>((done) => {
    session.onResponse = () => {};
    session.onNotification = (text: string) => {
      const { method, params } = JSON.parse(text) as Notification;
      if (method === 'Debugger.scriptParsed') urls.set(String(params.scriptId), String(params.url));
      if (method !== 'Debugger.paused' || line !== null) return;
      const own = params.callFrames?.find(({ location }) => urls.get(location.scriptId) === file);
      if (own) line = own.location.lineNumber + 1;
      // An isolate that rests in its debugger may not wake to be disposed of.
      send('Debugger.resume');
      if (own) done();
      // Between two of its lines, or not there yet on a busy machine.
      else timers.push(setTimeout(ask, ASK_AGAIN_MS));
    };
  });
  send('Debugger.enable');
  // The program's own `debugger` statements are not where it is stuck.
  send('Debugger.setSkipAllPauses', { skip: true });
  const running = run().catch(() => {});
  const late = new Promise<void>((done) => {
    timers.push(setTimeout(ask, afterMs), setTimeout(done, afterMs + ANSWER_MS));
  });
  await Promise.race([found, running, late]);
  for (const timer of timers) clearTimeout(timer);
  // The session ends with its isolate: disposed of by itself, it can take the process with it.
  endIsolate(isolate);
  await running;
  return line;
}
