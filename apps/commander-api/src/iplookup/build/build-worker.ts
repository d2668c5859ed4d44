import { workerData } from 'node:worker_threads';
import { buildLookup, type BuildRequest } from '@svc/iplookup-core';
import { answerThread } from './answer-thread.js';

await answerThread((signal) => buildLookup({ ...(workerData as BuildRequest), signal }));
