// Counts one view of the course that this page is about, once it is on a screen: pages that are only fetched ahead run no
// script. Nothing about the visitor is sent.
const place = document.querySelector<HTMLElement>('[data-course-view]');
const id = place?.dataset.courseView;
if (id && 'sendBeacon' in navigator) navigator.sendBeacon(`/api/courses/${id}/view`);
