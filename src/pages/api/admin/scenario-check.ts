import { checkDraft } from '#src/features/authoring/scenario-editor/scenario-check.server.ts';
import { checkScenarioCall } from '#src/features/authoring/scenario-editor/schema.ts';
import { someAuthor } from '#src/features/authoring/staff/course-access.server.ts';
import { endpoint } from '#src/server/endpoint.ts';

export const POST = endpoint(
  checkScenarioCall,
  { access: someAuthor, limit: 'scenario-check' },
  ({ input, request }) => checkDraft(input.definition, request.signal),
);
