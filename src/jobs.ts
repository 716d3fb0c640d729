import { ACCOUNT_JOBS } from '#src/features/account/account-jobs.server.ts';
import { PUBLISHING_JOBS } from '#src/features/authoring/publishing/publishing-jobs.server.ts';
import { mailSeatOffersJob } from '#src/features/organisations/seats/seats.server.ts';
import { organisationMailJob } from '#src/features/organisations/week-mail.server.ts';
import { groupingJob } from '#src/features/practice/groups/groups.server.ts';
import { VIDEO_JOBS } from '#src/features/authoring/media/video-jobs.server.ts';
import { LEARN_JOBS } from '#src/features/learn/learn-jobs.server.ts';
import { mailedPaper } from '#src/features/store/invoices/papers.server.ts';
import { STORE_JOBS } from '#src/features/store/store-jobs.server.ts';
import { lookForBackup, makeBackup, noteVerified } from '#src/server/start/backups.ts';
import { noteProxy } from '#src/server/http/untrusted-proxy.ts';
import { forgetBytes } from '#src/server/files/files.ts';
import { housekeeping } from '#src/server/start/housekeeping.ts';
import type { JobDefinition } from '#src/server/jobs.ts';
import { WEBHOOK_JOBS } from '#src/server/webhooks/events.ts';
import { dailyMailJob } from '#src/server/mail/daily-mail.ts';
import { deliverMail, drawPapersWith, sweepMails } from '#src/server/mail/mail.ts';

// Here, where the mail room and the store may both be known.
drawPapersWith(mailedPaper);

/** Every kind of background work of the site. */
// biome-ignore lint/suspicious/noExplicitAny: jobs of any data live in one list
export const ALL_JOBS: readonly JobDefinition<any>[] = [
  deliverMail,
  sweepMails,
  dailyMailJob,
  ...WEBHOOK_JOBS,
  housekeeping,
  forgetBytes,
  makeBackup,
  lookForBackup,
  noteVerified,
  noteProxy,
  ...ACCOUNT_JOBS,
  ...STORE_JOBS,
  mailSeatOffersJob,
  organisationMailJob,
  ...LEARN_JOBS,
  groupingJob,
  ...PUBLISHING_JOBS,
  ...VIDEO_JOBS,
];
