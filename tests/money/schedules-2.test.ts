import { SHARES, testRandomSchedules } from './random-schedules.ts';

testRandomSchedules(1, SHARES);
