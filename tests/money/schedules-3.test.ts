import { SHARES, testRandomSchedules } from './random-schedules.ts';

testRandomSchedules(2, SHARES);
