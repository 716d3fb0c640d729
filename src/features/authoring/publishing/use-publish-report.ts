import { useCallback, useEffect, useState } from 'react';
import { call } from '#src/shared/api.ts';
import type { PublishReport } from './publish-check.ts';
import { publishReportCall } from './schema.ts';

const LOOK_MS = 1000;

/** A course's report, refreshed while a run is under way; `lost` while that fails. */
export function usePublishReport(initialReport: PublishReport) {
  const [report, setReport] = useState(initialReport);
  const [lost, setLost] = useState(false);
  const { courseId } = report;
  const isRunning = report.run?.status === 'running';

  const look = useCallback(async () => {
    setReport(await call(publishReportCall, { params: { id: courseId } }));
  }, [courseId]);

  useEffect(() => {
    if (!isRunning) return;
    let timer: number;
    const again = async () => {
      try {
        await look();
        setLost(false);
      } catch {
        setLost(true);
      }
      timer = window.setTimeout(again, LOOK_MS);
    };
    timer = window.setTimeout(again, LOOK_MS);
    return () => window.clearTimeout(timer);
  }, [isRunning, look]);

  return { report, setReport, look, lost, isRunning };
}
