import type { ChannelRow } from './group.ts';

/**
 * Position of the wellbore. Sources: WITS level 0, record 7; WITSML 1.4.1.1 trajectory stations; ISCWSA glossary of
 * survey terms; CWLS LAS 3.0 inclinometry section.
 */
export const directional: readonly ChannelRow[] = [
  ['measured_depth', 'length', 'MD,DEPT,DEPTH,DEP,DEPTHMD,MDKB,MDRKB,INDEXDEPTH,measured depth,measured depth of hole,depth md,md depth,along hole depth,ahd,bore depth,Mdepth', [0, 50_000, 'ft']],
  ['survey_depth', 'length', 'DSVM,0708,SVYDEPTH,survey depth,survey measured depth,depth of survey,depth of survey measured,survey md,station depth', [0, 50_000, 'ft']],
  ['survey_depth_vertical', 'length', 'DSVV,0709,depth of survey vertical,survey tvd', [0, 50_000, 'ft']],
  ['tvd', 'length', 'TVD,TVDE,TVDKB,TVDRKB,true vertical depth,vertical depth tvd,tvd depth,tvd of hole,?vertical depth,?vdepth', [-1000, 50_000, 'ft']],
  ['tvd_subsea', 'length', 'TVDSS,TVDSUBSEA,SSTVD,tvd ss,tvd subsea,subsea tvd,subsea depth,true vertical depth subsea', [-20_000, 50_000, 'ft']],
  ['tvd_below_mudline', 'length', 'TVDBML,tvd bml,tvd below mudline,tvd below mud line', [-20_000, 50_000, 'ft']],
  ['inclination', 'angle', 'SINC,0713,INC,INCL,INCLIN,DEVI,DEVIATION,HDEV,INCLINATION,inclination angle,hole deviation,borehole deviation,hole inclination,drift angle,survey inclination,?drift,?deviation angle', [0, 180, 'deg']],
  ['azimuth', 'angle', 'AZI,AZIM,AZM,AZMT,SAZC,0715,HAZI,AZIMUTH,borehole azimuth,hole azimuth,corrected azimuth,azimuth corrected,azimuth true north,azimuth tn,azimuth gn,grid azimuth,azimuth grid,survey azimuth,?AZ', [0, 360, 'deg']],
  ['azimuth_uncorrected', 'angle', 'SAZU,0714,azimuth uncorrected,uncorrected azimuth,magnetic azimuth,azimuth magnetic', [0, 360, 'deg']],
  ['continuous_inclination', 'angle', 'CINC,continuous inclination,near bit inclination', [0, 180, 'deg']],
  ['continuous_azimuth', 'angle', 'CAZI,continuous azimuth', [0, 360, 'deg']],
  ['dogleg_severity', 'curvature', 'DLS,SDLS,0720,DOGLEG,dog leg severity,dogleg severity,dog leg,dls dogleg,?DL', [0, 100, 'deg/100ft']],
  ['build_rate', 'curvature', 'BUR,build rate,build up rate,?BR,?build', [-100, 100, 'deg/100ft']],
  ['turn_rate', 'curvature', 'SWLK,0721,turn rate,walk rate,rate of walk,?TR,?turn', [-1000, 1000, 'deg/100ft']],
  ['magnetic_toolface', 'angle', 'SMTF,0716,MTF,magnetic toolface,magnetic tool face,toolface magnetic', [-360, 360, 'deg']],
  ['gravity_toolface', 'angle', 'SGTF,0717,GTF,gravity toolface,gravity tool face,high side toolface,toolface gravity', [-360, 360, 'deg']],
  ['toolface', 'angle', 'TFO,toolface,tool face,tool face angle,?TF', [-360, 360, 'deg']],
  ['north_south', 'length', 'SNS,0718,NSOFFSET,YOFFSET,DY,north south,north south position,n s,ns,n s offset,local northing,north offset,north local,northing local,y offset,?N,?north', [-50_000, 50_000, 'ft']],
  ['east_west', 'length', 'SEW,0719,EWOFFSET,XOFFSET,DX,east west,east west position,e w,ew,e w offset,local easting,east offset,east local,easting local,x offset,?E,?east', [-50_000, 50_000, 'ft']],
  ['northing', 'length', 'YCOORD,map northing,utm northing,grid northing,y coordinate,?northing,?Y'],
  ['easting', 'length', 'XCOORD,map easting,utm easting,grid easting,x coordinate,?easting,?X'],
  ['vertical_section', 'length', 'VSEC,VSECT,vertical section,?VS', [-50_000, 50_000, 'ft']],
  ['horizontal_length', 'length', 'THL,true horizontal length,horizontal length', [0, 50_000, 'ft']],
  ['closure_distance', 'length', 'closure distance,horizontal displacement,closure,departure', [0, 50_000, 'ft']],
  ['closure_azimuth', 'angle', 'closure azimuth,closure direction,closure angle', [0, 360, 'deg']],
  ['total_gravity', 'acceleration', 'GTOTAL,GTOT,total gravity,total gravity field,gravity total', [0, 2, 'gn']],
  ['total_magnetic_field', 'magnetic_field', 'BTOTAL,BTOT,HTOT,total magnetic field,magnetic field strength', [0, 100_000, 'nT']],
  ['magnetic_dip', 'angle', 'magnetic dip,dip angle,magnetic dip angle,mag dip', [-90, 90, 'deg']],
  ['magnetic_declination', 'angle', 'magnetic declination,declination', [-180, 180, 'deg']],
  ['grid_convergence', 'angle', 'grid convergence,convergence', [-180, 180, 'deg']],
  ['latitude', 'angle', 'LAT,LATI,LATITUDE,surface latitude,well latitude,latitude wgs84', [-90, 90, 'deg']],
  ['longitude', 'angle', 'LON,LONG,LONGITUDE,surface longitude,well longitude,longitude wgs84', [-180, 180, 'deg']],
  ['ground_elevation', 'length', 'EGL,ground elevation,ground level elevation,ground level'],
  ['kelly_bushing_elevation', 'length', 'EKB,kelly bushing elevation,kb elevation,rkb elevation,kelly bush elevation'],
  ['water_depth', 'length', 'WDEP,water depth', [0, 15_000, 'ft']],
]; // oxfmt-ignore
