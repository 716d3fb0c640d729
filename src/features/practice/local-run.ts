const LOCAL_LIMIT_MS = 2000;
/** Characters of output that are kept. */
const OUTPUT_MAX = 20_000;
const CUT_OFF = [
  'fetch',
  'XMLHttpRequest',
  'WebSocket',
  'EventSource',
  'importScripts',
  'indexedDB',
  'caches',
  'Worker',
];

interface LocalRun {
  output: string;
  /** Null where it came to its end. */
  problem: string | null;
}

type WorkerMessage = { printed?: string; done?: true };

/** Stands on the one line in front of the program, so that its own lines only move by one. */
const PROLOGUE = `(()=>{const send=self.postMessage.bind(self);const text=(v)=>{if(typeof v==='string')return v;try{return typeof v==='object'&&v!==null?JSON.stringify(v)??String(v):String(v)}catch{return Object.prototype.toString.call(v)}};let room=${OUTPUT_MAX};const print=(...v)=>{const line=v.map(text).join(' ')+'\\n';send({printed:line.slice(0,room+1)});room-=line.length;if(room<0)for(;;);};for(const n of ${JSON.stringify(CUT_OFF)})try{Object.defineProperty(self,n,{value:undefined})}catch{}self.console={log:print,info:print,debug:print,warn:print,error:print};self.postMessage=undefined;const wait=setTimeout;self.__ended=()=>wait(()=>send({done:true}),20)})();\n`;
const EPILOGUE = '\n;__ended();';

export function runLocally(code: string): Promise<LocalRun> {
  const url = URL.createObjectURL(new Blob([PROLOGUE, code, EPILOGUE], { type: 'text/javascript' }));
  const worker = new Worker(url);
  return new Promise((resolve) => {
    let output = '';
    const end = (problem: string | null) => {
      clearTimeout(timer);
      worker.terminate();
      URL.revokeObjectURL(url);
      resolve({ output, problem });
    };
    const timer = setTimeout(
      () =>
        end(
          `Your program was stopped after ${LOCAL_LIMIT_MS / 1000} seconds. Does every loop in it come to an end?`,
        ),
      LOCAL_LIMIT_MS,
    );
    worker.onmessage = ({ data }: MessageEvent<WorkerMessage>) => {
      if (data.done) end(null);
      if (data.printed === undefined) return;
      output += data.printed;
      if (output.length > OUTPUT_MAX) {
        output = output.slice(0, OUTPUT_MAX);
        end('Your program printed too much and was stopped (the output is truncated).');
      }
    };
    worker.onerror = (event) => {
      event.preventDefault();
      const line = event.lineno > 1 ? ` (line ${event.lineno - 1})` : '';
      end(`${event.message || 'Your program could not be run.'}${line}`);
    };
  });
}
