import { keepAuthState, keepEarlyInput } from './head-script.ts';

keepAuthState(window);
keepEarlyInput(window);
