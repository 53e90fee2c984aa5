/**
 * The one inline script, the same on every page and allowed by its hash. Before the first paint it says
 * which theme was chosen and whether somebody is signed in, so that nothing flashes in the wrong state.
 */
export const bootScript = `(function(){var r=document.documentElement,t,u;try{t=localStorage.getItem("theme");u=localStorage.getItem("userInfo")}catch(e){}if(t==="light"||t==="dark")r.dataset.theme=t;r.dataset.session=u&&u!=="null"?"user":"visitor"})()`;
