import { disableAsleep, keepAuthState, keepDisplay, letTransitionsEnd } from './head-script.ts';

keepAuthState(window);
keepDisplay(window);
disableAsleep(window);
letTransitionsEnd(window);
