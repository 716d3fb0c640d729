import { keepAuthState, keepDisplay, keepEarlyInput, letTransitionsEnd } from './head-script.ts';

keepAuthState(window);
keepDisplay(window);
keepEarlyInput(window);
letTransitionsEnd(window);
