import { databaseBreaks, databaseFrozen, pooler } from './database.ts';
import { diskFull, diskFullWhileRunning } from './disk.ts';
import type { Drill } from './drill.ts';
import { endings } from './endings.ts';
import { clockSkew, endUnderLoad, twoInstances } from './instances.ts';
import { largeShop, nginxLimits, slowSenders, soak } from './load.ts';
import { mailRestart, mailServerDown, mailTransferAgent } from './mail.ts';
import { objectStorage } from './object-storage.ts';
import { partsStopped } from './parts.ts';
import { releases } from './releases.ts';
import {
  backupDiskFull,
  backupKilled,
  copiedDataFolder,
  restoreDiskFull,
  restoreKilled,
  upgradeKilled,
} from './restore.ts';
import { videoKilled } from './video.ts';

/** All drills, in the order they are run. */
export const DRILLS: readonly Drill[] = [
  twoInstances,
  partsStopped,
  nginxLimits,
  endUnderLoad,
  releases,
  endings,
  databaseBreaks,
  databaseFrozen,
  diskFull,
  diskFullWhileRunning,
  clockSkew,
  slowSenders,
  pooler,
  mailServerDown,
  mailRestart,
  mailTransferAgent,
  objectStorage,
  videoKilled,
  restoreKilled,
  backupKilled,
  restoreDiskFull,
  backupDiskFull,
  copiedDataFolder,
  upgradeKilled,
  largeShop,
  soak,
];
