import type { MetricType } from 'web-vitals';
import { onCLS } from 'web-vitals/onCLS.js';
import { onINP } from 'web-vitals/onINP.js';
import { onLCP } from 'web-vitals/onLCP.js';

/**
 * Sends one report when the page is first hidden.
 * @param route its pattern, such as `/learn/[id]`; never its address
 */
export function measurePage(route: string): void {
  const measured: Record<string, number> = {};
  const keep = ({ name, value }: MetricType) => {
    measured[name.toLowerCase()] = value;
  };
  onLCP(keep);
  onINP(keep);
  onCLS(keep);
  // After the measures, which report at the same event.
  const tell = () => {
    if (document.visibilityState !== 'hidden') return;
    document.removeEventListener('visibilitychange', tell);
    if (Object.keys(measured).length === 0) return;
    const body = new Blob([JSON.stringify({ route, ...measured })], { type: 'application/json' });
    navigator.sendBeacon('/api/page-vitals', body);
  };
  document.addEventListener('visibilitychange', tell);
}
