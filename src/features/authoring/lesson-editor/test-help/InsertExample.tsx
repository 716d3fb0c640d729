import { hasFixture } from '#src/features/lessons/types/coding/languages.ts';
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#src/components/Button.tsx';
import { Menu, MenuItem, MenuLabel } from '#src/components/Menu.tsx';
import { toast } from '#src/components/toast.store.ts';
import { tryLessonCall } from '#src/features/authoring/lesson-editor/schema.ts';
import { emptyTest, type TestFields } from '#src/features/authoring/lesson-editor/exercise.ts';
import type { Exercise } from '#src/features/authoring/lesson-editor/lesson-fields.ts';
import { call, messageOf } from '#src/shared/api.ts';
import { isBlank } from '#src/shared/is-blank.ts';
import { foundBy, inputsOf, searchFor, examplesOf, type TestExample } from './test-examples.ts';

const WRITTEN_FOR_ANOTHER = 'This is how such a test is written. Change it to fit your reference solution.';

/** A menu of kinds of tests; the chosen one is searched in the reference, so that it passes there. */
export function InsertExample({
  exercise,
  fixture,
  name,
  isWritten,
  onInsert,
}: {
  exercise: Exercise;
  fixture: string;
  name: string;
  isWritten: boolean;
  onInsert: (test: Pick<TestFields, 'input' | 'expectedOutput'>) => void;
}) {
  const [isLooking, setIsLooking] = useState(false);
  const insert = async (example: TestExample) => {
    if (isLooking) return;
    setIsLooking(true);
    const { found, why } = await lookFor(example, exercise, fixture);
    setIsLooking(false);
    if (!found)
      toast({ title: `An example of “${example.label}”`, description: `${why} ${WRITTEN_FOR_ANOTHER}` });
    onInsert(found ?? { input: example.input, expectedOutput: example.expectedOutput });
  };
  return (
    <Menu
      align="start"
      trigger={
        <Button variant="secondary" size="sm" className="max-sm:min-h-11" loading={isLooking}>
          Insert an example<span className="sr-only"> {name}</span> <ChevronDown aria-hidden="true" />
        </Button>
      }
    >
      {isWritten && (
        <MenuLabel className="max-w-72 text-ink-soft">It becomes a new test: this one is written.</MenuLabel>
      )}
      <div className="max-h-[min(26rem,calc(var(--radix-dropdown-menu-content-available-height)-4rem))] overflow-y-auto">
        {examplesOf(exercise.codingLanguage).map((example) => (
          <MenuItem key={example.label} onSelect={() => void insert(example)}>
            <span>
              <span className="block">{example.label}</span>
              <span className="block text-xs font-normal text-ink-soft">{example.hint}</span>
            </span>
          </MenuItem>
        ))}
      </div>
    </Menu>
  );
}

async function lookFor(
  example: TestExample,
  { codingLanguage, solution, codeLimits }: Exercise,
  fixture: string,
): Promise<{ found: Pick<TestFields, 'input' | 'expectedOutput'> | null; why: string }> {
  if (isBlank(solution)) return { found: null, why: 'There is no reference solution yet.' };
  const search = searchFor(example, codingLanguage, solution, fixture);
  if (search.length === 0) return { found: null, why: 'Your reference solution has nothing of the kind.' };
  try {
    const { tests, verdict, error } = await call(tryLessonCall, {
      input: {
        codingLanguage,
        code: solution,
        // The expectation is a dummy: the judge's finding is what counts.
        testCases: inputsOf(search).map((input) => ({ ...emptyTest(), input, expectedOutput: '?' })),
        expectedOutput: '',
        codeLimits,
        content: hasFixture(codingLanguage) ? fixture : '',
      },
    });
    const found = foundBy(search, tests, example.expects);
    if (found) return { found, why: '' };
    return {
      found,
      why:
        verdict === 'syntax_error'
          ? `Your reference solution cannot be read${error?.line ? ` in line ${error.line}` : ''}.`
          : 'Your reference solution has nothing of the kind.',
    };
  } catch (error) {
    return { found: null, why: messageOf(error, 'Your reference solution could not be looked at.') };
  }
}
