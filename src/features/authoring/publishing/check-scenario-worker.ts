import { parentPort, workerData } from 'node:worker_threads';
import { checkScenario } from '#src/features/scenario/check.ts';

// The search takes seconds of processor time, which the thread that serves pages does not have.
const { findings, states } = checkScenario(workerData);
parentPort?.postMessage({ findings, states });
