import { userInfo } from 'node:os';
import { pendingMigrations } from '#db/migrate.ts';
import type { Actor } from '#src/features/account/audit.server.ts';
import {
  administrators,
  findUserIdByEmail,
  openAdminRequests,
  setRole,
} from '#src/features/account/roles.server.ts';
import { email as emailField } from '#src/shared/fields.ts';
import { UsageError, withDatabase } from './with-database.ts';

const USAGE = `Usage: npm run admin -- grant <email>    gives an account administrator access
       npm run admin -- revoke <email>   takes it away
       npm run admin -- list             shows administrators and open requests`;

function readArguments(args: string[]): { command: 'grant' | 'revoke'; email: string } | { command: 'list' } {
  const [command, address, ...rest] = args;
  if (command === 'list' && address === undefined) return { command };
  if ((command !== 'grant' && command !== 'revoke') || !address || rest.length > 0)
    throw new UsageError(USAGE);
  const parsed = emailField().safeParse(address);
  if (!parsed.success) throw new UsageError(`"${address}" is not an email address.`);
  return { command, email: parsed.data };
}

/** Who sits at the keyboard, for the audit log. */
function operator(): Actor {
  try {
    return { id: null, name: `command line (${userInfo().username})` };
  } catch {
    return { id: null, name: 'command line' };
  }
}

async function changeAdministrator(command: 'grant' | 'revoke', email: string): Promise<string> {
  const userId = await findUserIdByEmail(email);
  if (userId === null) {
    throw new UsageError(`There is no account with the email ${email}. Register it on the site first.`);
  }
  const role = command === 'grant' ? 'admin' : 'student';
  const before = (await administrators()).some((admin) => admin.id === userId) ? 'admin' : 'student';
  await setRole(operator(), userId, role);
  if (before === role)
    return `${email} ${role === 'admin' ? 'is an administrator already' : 'is no administrator'}.`;
  return role === 'admin' ? `${email} is now an administrator.` : `${email} is no longer an administrator.`;
}

async function overview(): Promise<string> {
  const admins = await administrators();
  const requests = await openAdminRequests();
  const verified = (isVerified: boolean) => (isVerified ? '' : ', address not verified');
  return [
    admins.length > 0 ? 'Administrators:' : 'There is no administrator yet.',
    ...admins.map((admin) => `  ${admin.email} (${admin.username}${verified(admin.emailVerified)})`),
    requests.length > 0 ? 'Open requests:' : 'No open requests.',
    ...requests.map(
      (one) =>
        `  ${one.email} (${one.username}, since ${one.createdAt.slice(0, 10)}${verified(one.emailVerified)})`,
    ),
  ].join('\n');
}

await withDatabase(async (url) => {
  const asked = readArguments(process.argv.slice(2));
  if ((await pendingMigrations(url)).length > 0) {
    throw new UsageError(
      'The database is not prepared yet: start the site once (npm start) or run npm run db:migrate.',
    );
  }
  return asked.command === 'list' ? overview() : changeAdministrator(asked.command, asked.email);
});
