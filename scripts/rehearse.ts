import type postgres from 'postgres';
import { closeDatabase, connectDatabase } from '#db/client.ts';
import { readJournal } from '#db/migrate.ts';
import type { UnpackedBackup } from '#db/restore.ts';
import { restoreBeside } from '#db/scratch.ts';
import { checkReconciliation } from '#src/features/store/reconciliation/compare-records.server.ts';
import { formatCents } from '#src/shared/money.ts';

/**
 * Restores a backup into a database of its own, migrates it and compares it with the site, which is not
 * changed. @throws {BackupError}
 */
export async function rehearse(url: string, backup: UnpackedBackup): Promise<string> {
  const { manifest } = backup;
  const began = performance.now();
  return restoreBeside(url, backup, async (restored, site, own) => {
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    const has = new Set(manifest.migrations);
    // The migrations before the first one of today lead to the same tables as that one.
    const applied = readJournal()
      .entries.map(({ tag }) => tag)
      .filter((tag) => !has.has(tag))
      .slice(-restored.migrated);
    return [
      `The backup of ${manifest.createdAt} was restored in ${seconds} s: ${manifest.tables.length} tables, ${restored.rows} rows, ${restored.files} files. Every row was compared.`,
      restored.migrated === 0
        ? 'This version has no newer migrations: an upgrade would not change the database.'
        : `An upgrade would apply ${restored.migrated} migration(s): ${applied.join(', ')}.`,
      ...(await compareRows(site, manifest.tables)),
      ...(await checkBooks(own)),
      'Nothing of the site was changed.',
    ].join('\n');
  });
}

async function compareRows(
  site: postgres.Sql,
  tables: UnpackedBackup['manifest']['tables'],
): Promise<string[]> {
  const different: string[] = [];
  for (const { name, rows } of tables) {
    const [table] = await site`select to_regclass(${`public.${name}`}) is not null as present`;
    const [now] = table!.present
      ? await site.unsafe(`select count(*)::int as rows from public."${name}"`)
      : [];
    if (now && now.rows !== rows) different.push(`  ${name}: ${rows} in the backup, ${now.rows} now`);
  }
  return different.length === 0
    ? ['The site has as many rows in every table now as the backup has.']
    : ['The site has other rows now than the backup:', ...different];
}

async function checkBooks(url: string): Promise<string[]> {
  await closeDatabase();
  connectDatabase(url, { max: 2 });
  try {
    const { orderCount, totals, disagreements } = await checkReconciliation({ asksProvider: false });
    const { ordersCents, ledgerCents } = totals.received;
    return [
      `Books of ${orderCount} completed orders: orders ${formatCents(ordersCents)}, ledger ${formatCents(ledgerCents)}.`,
      ...(disagreements.length === 0
        ? ['Orders and ledger agree to the cent.']
        : ['Orders and ledger DISAGREE:', ...disagreements.map(({ message }) => `  ${message}`)]),
    ];
  } finally {
    await closeDatabase();
  }
}
