import type { Person } from './person.ts';

type Step = [what: string, act: (person: Person) => Promise<void>];

/**
 * The way of a newcomer from registering to a certificate, step by step, with the keyboard alone.
 *
 * @param email of the account that is made
 */
export function mainJob(email: string, course: { id: number; title: string }): Step[] {
  return [
    [
      'registers',
      async (person) => {
        await person.visit('/register');
        await person.fill('Full Name', 'Ada Lovelace');
        await person.fill('Email', email);
        await person.fill('Password', 'engine-1843');
        await person.fill('Confirm Password', 'engine-1843');
        await person.browser.press('Enter');
        await person.arrivesAt(/^\/dashboard/);
      },
    ],
    [
      'searches for a course',
      async (person) => {
        await person.visit('/courses');
        await person.fill('Search courses', course.title);
        await person.browser.press('Enter');
        await person.arrivesAt(/^\/courses\?.*search=/);
        await person.pressOn(new RegExp(`^${course.title}`));
        await person.arrivesAt(/^\/courses\/\d+/);
        await person.sees(course.title);
      },
    ],
    [
      'buys it with a test card',
      async (person) => {
        await person.pressOn('Add to Cart');
        await person.sees('Course added to cart');
        await person.visit('/cart');
        await person.pressOn(/checkout/i);
        await person.arrivesAt(/^\/checkout/);
        await person.sees('Test mode: no card is charged');
        await person.sees('Pay $20.00');
        await person.fill(/^Card number/, '4242424242424242');
        await person.fill(/^Expiration date/, '1240');
        await person.fill(/^Security code/, '123');
        await person.pressOn(/^Pay \$20\.00/);
        await person.arrivesAt(/^\/dashboard/);
        await person.sees('Payment Successful!');
      },
    ],
    [
      'learns a text lesson',
      async (person) => {
        await person.visit('/my-courses');
        await person.pressOn(/^Start Course/);
        await person.arrivesAt(/^\/learn\/\d+/);
        await person.sees('Keys are quick.');
        await person.pressOn('Mark Complete');
        await person.sees('50%');
      },
    ],
    [
      'runs a coding lesson, wrong and then right, and finishes the course',
      async (person) => {
        const { browser } = person;
        await person.pressOn(/^Next/);
        await person.arrivesAt(/^\/lesson\/\d+/);
        await person.until(`document.querySelector('.monaco-editor')`, 'the editor');
        await person.pressOn('Run');
        await person.sees('of 3 tests passed');
        await person.visit(await browser.read('location.pathname'));
        await person.until(
          `document.querySelector('.monaco-editor textarea, .monaco-editor .native-edit-context')`,
          'the editor',
        );
        await person.tabTo(/code/i);
        await browser.selectAll();
        await browser.type('const twice = (n) => n * 2;');
        // Tab belongs to the program; Escape gives it back to the page.
        await browser.press('Escape');
        await person.tabTo(/./);
        await person.visit(await browser.read('location.pathname'));
        await person.pressOn('Run');
        await person.sees('Correct!');
      },
    ],
    [
      'sees the certificate',
      async (person) => {
        await person.visit(`/learn/${course.id}`);
        await person.pressOn(/certificate/i);
        await person.arrivesAt(/^\/certificates\/[\w-]+/);
        await person.sees('This certificate is valid');
        await person.sees('Ada Lovelace');
        await person.sees('The signature is right.');
      },
    ],
    [
      'acts in a scenario',
      async (person) => {
        await person.visit('/scenario/1');
        await person.pressOn('Start Scenario');
        await person.fill('Your action', 'look at the logs');
        await person.browser.press('Enter');
        await person.sees('could not extend file');
        await person.until(
          `document.activeElement?.getAttribute('name') === 'action' && document.activeElement.value === ''`,
          'the box for the next action',
        );
      },
    ],
  ];
}
