import type { JobDefinition } from '#src/server/jobs.ts';
import { certificateCatchUp } from './certificates/certificates.server.ts';
import { weeklyMailJob } from './dashboard/weekly-mail.server.ts';
import { newsMailJob } from './news/news.server.ts';
import { questionMailJob } from './questions/question-mails.server.ts';
import { captionsJob } from './search/captions.server.ts';

// biome-ignore lint/suspicious/noExplicitAny: jobs of any data live in one list
export const LEARN_JOBS: readonly JobDefinition<any>[] = [
  certificateCatchUp,
  weeklyMailJob,
  newsMailJob,
  questionMailJob,
  captionsJob,
];
