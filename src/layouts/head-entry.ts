import { keepAuthState, keepEarlyInput, letTransitionsEnd } from './head-script.ts';

keepAuthState(window);
keepEarlyInput(window);
letTransitionsEnd(window);
