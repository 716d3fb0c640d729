import { parentPort, workerData } from 'node:worker_threads';
import { checkScenario } from './check.ts';
import { wordNet } from './words/wordnet.server.ts';

// The search takes seconds of processor time, which the thread that serves pages does not have.
parentPort?.postMessage(checkScenario(workerData, wordNet));
