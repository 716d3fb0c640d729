/** What of a line is looked at, and what to ask there. No change of it is ever said. */
export const KINDS = {
  comparison: ['comparison', 'Which values should it let through, and which not?'],
  number: [
    'numbers',
    'Where should it begin, how far should it go, and is something counted once too often?',
  ],
  logic: ['condition', 'Must all of its parts hold, or is one enough?'],
  not: ['condition', 'Should it hold here, or the opposite of it?'],
  loop: ['loop', 'What does each round get: a value, or its place?'],
  wait: ['call', 'Its value comes later. Does anything wait for it?'],
  return: ['value', 'What does the function give back at this place?'],
  place: [
    'place of the statement',
    'How often should it be done: in each round, only under the condition, or once after it?',
  ],
  calculation: ['calculation', 'Is it the one that the task asks for, and in the right order?'],
  update: ['assignment', 'Should it take the place of the old value, or be added to it?'],
  constant: ['declaration', 'Does this name get another value later?'],
  call: ['call', 'Does it do just what is needed here?'],
  truth: ['true and false', 'Which of the two is right here?'],
  spread: ['order of the parts', 'Of two parts with the same name the last one counts.'],
  name: ['names', 'Is each the right one, and spelled as elsewhere?'],
  attribute: ['attribute', 'Is it the one that the task asks for, and spelled like it?'],
  element: ['element', 'Is it the one that the task asks for, and spelled like it?'],
  text: ['text', 'Compare it with the task letter by letter.'],
  selector: ['selector', 'Does it name an element, a class or an id?'],
  unit: ['unit', 'In what is this length measured?'],
  property: ['property', 'Does it change what the task is about?'],
  weight: ['declaration', 'Is there another rule for the same element that counts more?'],
  aggregate: ['function', 'Does it count the rows, or add up or choose among their values?'],
  nothing: ['comparison', 'How is a value found that is not there?'],
  order: ['order', 'Which should come first, the smallest or the greatest?'],
  join: ['join', 'What becomes of a row that has no partner?'],
  rows: ['rows', 'May the same row come more than once?'],
  pattern: ['pattern', 'What may stand before and behind it, and do capitals count?'],
} as const;

export type Kind = keyof typeof KINDS;
