import { countRecall } from '#src/features/learn/recall/recall.server.ts';
import { readDashboard } from './dashboard.server.ts';
import { switchOffPath } from './weekly-mail.server.ts';

/** What the dashboard's page shows of a user's learning, and where its mail is switched off. */
export async function readDashboardPage(userId: number) {
  const [learning, recall, switchOff] = await Promise.all([
    readDashboard(userId),
    countRecall(userId),
    switchOffPath(userId),
  ]);
  return { learning: { ...learning, recall }, switchOff };
}
