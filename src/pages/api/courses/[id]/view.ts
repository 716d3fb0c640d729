import { countCourse } from '#src/features/catalogue/course-counts.server.ts';
import { countViewCall } from '#src/features/catalogue/schema.ts';
import { endpoint } from '#src/server/endpoint.ts';

/** Programs that look at every page, and say so. */
const ROBOT = /bot|crawl|spider|slurp|preview|headless.*lighthouse/i;

// No limit by address: it would write to the database for each view, and one person's clicks change nothing but a count.
export const POST = endpoint(
  countViewCall,
  { access: 'public' },
  async ({ params, user, request, status }) => {
    status(204);
    // Those who make the courses are no visitors.
    if (user?.role !== 'admin' && !ROBOT.test(request.headers.get('user-agent') ?? '')) {
      countCourse(params.id, 'views');
    }
    return undefined;
  },
);
